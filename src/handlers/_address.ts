import { Failure } from "./_settled.ts";

export function addressOf(text: string): URL {
  try {
    const url = new URL(text);
    if (url.protocol === "http:" || url.protocol === "https:") return url;
  } catch {
    // Said below.
  }
  // The text may hold credentials.
  throw new Failure("the url is no web address");
}
