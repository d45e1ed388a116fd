import "@mantine/dates/styles.css";
import "dayjs/locale/ru";
import { DateTimePicker } from "@mantine/dates";
import { ownLanguage } from "../texts/own-language.ts";

interface DateInputProps {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  /** ISO 8601 in UTC, or an empty text. */
  readonly value?: string;
  readonly onChange?: (at: string) => void;
  readonly error?: React.ReactNode;
}

/** A moment in the person's time zone. Nothing chosen is an empty text. */
export function DateInput({ label, description, placeholder, value, onChange, error }: DateInputProps) {
  return (
    <DateTimePicker
      label={label}
      description={description}
      placeholder={placeholder}
      error={error}
      locale={ownLanguage()}
      // A day and a month of two digits can be read in two ways.
      valueFormat="YYYY-MM-DD HH:mm"
      value={value === undefined || value === "" ? null : new Date(value)}
      onChange={(chosen) => onChange?.(chosen === null ? "" : new Date(chosen).toISOString())}
      minDate={new Date()}
      clearable
      w={240}
    />
  );
}
