/** Replaced by the build with the version of package.json. */
declare const ANYHOOK_VERSION: string | undefined;

export const VERSION: string =
  typeof ANYHOOK_VERSION === "string" ? ANYHOOK_VERSION : "0.0.0-source";
