import { bankTerminals } from "../local-settings.ts";

export interface SandboxTerminal {
  readonly terminal_key: string;
  readonly password: string;
  readonly taxation: string;
  readonly livemode: boolean;
}

const all: readonly SandboxTerminal[] = [
  ...Object.values(bankTerminals.live).map((terminal) => ({ ...terminal, livemode: true })),
  ...Object.values(bankTerminals.test).map((terminal) => ({ ...terminal, livemode: false })),
];

export function findTerminal(terminalKey: unknown): SandboxTerminal | undefined {
  return all.find(({ terminal_key }) => terminal_key === terminalKey);
}
