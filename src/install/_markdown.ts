/** What the written pages have in common. */
export const WRITTEN = "<!-- Written by scripts/gen.ts. Do not edit. -->";

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escape).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

const escape = (cell: string): string => cell.replaceAll("|", "\\|");

export const code = (text: string): string => `\`${text}\``;

export const yesNo = (value: boolean): string => (value ? "yes" : "–");
