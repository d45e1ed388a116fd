import "@mantine/dates/styles.css";
import "dayjs/locale/ru";
import { DateTimePicker } from "@mantine/dates";
import { ownLanguage } from "../texts/own-language.ts";
import { instantOf, shownZone, wallTime } from "./time-zone.ts";

interface DateInputProps {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  /** ISO 8601 in UTC, or an empty text. */
  readonly value?: string;
  readonly onChange?: (at: string) => void;
  readonly error?: React.ReactNode;
}

/** A moment in the shown time zone, which its label names. Nothing chosen is an empty text. */
export function DateInput({ label, description, placeholder, value, onChange, error }: DateInputProps) {
  return (
    <DateTimePicker
      label={`${label} (${shownZone()})`}
      description={description}
      placeholder={placeholder}
      error={error}
      locale={ownLanguage()}
      // A day and a month of two digits can be read in two ways.
      valueFormat="YYYY-MM-DD HH:mm"
      value={value === undefined || value === "" ? null : wallTime(value, shownZone())}
      onChange={(chosen) => onChange?.(chosen === null ? "" : instantOf(chosen, shownZone()))}
      minDate={wallTime(new Date().toISOString(), shownZone())}
      clearable
      w={240}
    />
  );
}
