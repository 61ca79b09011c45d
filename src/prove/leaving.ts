import { pledged } from "./warden.ts";

/**
 * What must be undone however this process ends: processes ended, folders removed. SIGKILL alone
 * gets past it; then the warden does what was pledged.
 */
const duties = new Set<() => void>();
let isWatching = false;

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** `duty` runs when the process ends, unless the returned function was called before. */
export function leaving(duty: () => void, pledge = ""): () => void {
  watch();
  duties.add(duty);
  const kept = pledged(pledge);
  return () => {
    duties.delete(duty);
    kept();
  };
}

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  process.on("exit", fulfil);
  for (const [signal, code] of Object.entries(SIGNALS))
    process.on(signal, () => {
      fulfil();
      process.exit(code);
    });
}

/** Last promised, first done: processes go before the folders that they write in. */
function fulfil(): void {
  for (const duty of [...duties].toReversed()) {
    duties.delete(duty);
    try {
      duty();
    } catch {
      // The others are still due.
    }
  }
}
