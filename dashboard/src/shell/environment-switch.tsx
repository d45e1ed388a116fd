import { SegmentedControl } from "@mantine/core";
import { texts } from "../texts/index.ts";
import { type Environment, useEnvironment } from "./environment.ts";

const choices = [
  { value: "test", label: texts.environment.test },
  { value: "live", label: texts.environment.live },
] satisfies { value: Environment; label: string }[];

/** Switches between test and live data. */
export function EnvironmentSwitch() {
  const { environment, change } = useEnvironment();
  return (
    <SegmentedControl
      size="xs"
      color={environment === "live" ? "#1a6330" : "#9c4200"}
      value={environment}
      onChange={(value) => change(value === "live" ? "live" : "test")}
      data={choices}
      aria-label={texts.environment.label}
    />
  );
}
