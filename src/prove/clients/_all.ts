import type { Driver } from "./_driver.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

export const DRIVERS: readonly Driver[] = [
  claudeCode,
  codex,
  gemini,
  qwen,
  opencode,
  copilot,
  cline,
  pi,
];
