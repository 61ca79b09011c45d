import { defineConfig } from "vitest/config";
import Compatibility from "./test/clients/_compatibility.ts";

const page = process.env["ANYHOOK_WRITE_COMPAT"] === "1" ? [new Compatibility()] : [];

// Real agents. scripts/clients.mjs installs them and then runs this.
export default defineConfig({
  test: {
    include: ["test/clients/**/*.test.ts"],
    globalSetup: "test/global-setup.ts",
    reporters: ["verbose", ...page],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
