/** The API version of all requests and of all parsed events. Upgrading it is a separate change. */
export const API_VERSION = "2026-10-28.endive";
