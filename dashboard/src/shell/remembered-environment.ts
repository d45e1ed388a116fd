const PLACE = "environment";

/** The environment that a person chose last in this browser; null if none was chosen. */
export const rememberedEnvironment = (): string | null => localStorage.getItem(PLACE);

export const rememberEnvironment = (environment: "live" | "test"): void => localStorage.setItem(PLACE, environment);
