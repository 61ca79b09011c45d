import { describe, expect, test } from "vitest";
import { redact, redactValue } from "../../src/memory/redact.ts";

/** Put together here, so that no scanner takes this file for a leak. */
const joined = (...parts: string[]): string => parts.join("");
const SECRETS = {
  "GitHub token": joined("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"),
  "Slack token": joined("xoxb-", "23984754863-2348975623103-AbCdEfGhIjKlMnOpQrStUvWx"),
  "npm token": joined("npm_", "1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R"),
  "AWS key id": joined("AKIA", "QWERTYUIOPASDFGH"),
  "Anthropic key": joined("sk-ant-api03-", "x9Kd02mQ7fLw5bTz8RnV1cYp4HsJ6gAe".repeat(2)),
  "OpenAI key": joined("sk-proj-", "T3BlbkFJx9Kd02mQ7fLw5bTz8RnV1cYp4HsJ6gAe"),
  "Google key": joined("AIza", "SyD4x7Kd02mQ7fLw5bTz8RnV1cYp4HsJ6g"),
  "JSON web token": joined(
    "eyJ",
    "hbGciOiJIUzI1NiJ9.eyJ",
    "zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
  ),
  "bearer header": joined("Authorization: Bearer ", "abcdefghijklmnop"),
  "basic header": joined("Authorization: Basic ", "dXNlcjpodW50ZXIyaHVudGVyMg=="),
  "password in a URL": joined("postgres://shop:", "hunter2hunter2", "@db.internal/shop"),
  "assigned password": joined("DB_PASSWORD=", "correct-horse-battery"),
  "private key": joined(
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "MIIEpAIBAAKCAQEA75n".repeat(3),
    "\n-----END RSA PRIVATE KEY-----",
  ),
  "private key that was cut": joined(
    "-----BEGIN OPENSSH PRIVATE KEY-----\n",
    "b3BlbnNzaC1rZXktdjE".repeat(4),
  ),
  "random hex": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "random base64": "q7Zk3Vb9XwT1mLr8Ns5Yd2Hf6Jp0Cg4AeRiUoKtBxQ==",
} as const;

/** The part that must not be left. */
const core = (secret: string): string =>
  secret.replace(/^.*?(?:Bearer |Basic |PASSWORD=|shop:|-----\n)/s, "").slice(0, 14);

describe("secrets never get through", () => {
  test.each(Object.entries(SECRETS))("%s", async (_, secret) => {
    const text = `before the words ${secret} and after them`;
    const clean = await redact(text);
    expect(text).toContain(core(secret));
    expect(clean).not.toContain(core(secret));
    expect(clean).toContain("before the words");
    expect(clean).toContain("[redacted]");
  });

  test("not when the text tells the rules to look away", async () => {
    const secret = SECRETS["GitHub token"].replace("ghp_", "gho_");
    const clean = await redact(
      `// secretlint-disable\n${secret}\n/* secretlint-disable-next-line */ ${secret}`,
    );
    expect(clean).not.toContain(secret.slice(4, 18));
    expect(clean).toContain("secretlint-disable");
  });

  test("by the name of a field, whatever the value looks like", async () => {
    const value = {
      user: "ada",
      password: "abc",
      nested: [{ api_key: 12345, note: "kept" }],
      token_count: 7,
    };
    expect(await redactValue(value)).toEqual({
      user: "ada",
      password: "[redacted]",
      nested: [{ api_key: "[redacted]", note: "kept" }],
      token_count: 7,
    });
  });
});

test.each([
  "Use pnpm, never npm; the test database listens on port 5433",
  "see src/components/checkout/PaymentMethodSelector.test.tsx line 120",
  "session 7dc81911-32c2-4d30-b91f-7e7ead19ef4c",
  "reverted in commit 3f786850e387550fdab836ed7e6dc881de23001b",
  "packages/very-long-kebab-case-package-name/src/index.ts",
  "the class AbstractSingletonProxyFactoryBeanConfiguration is gone",
  "2026-11-15T10:47:55.228Z took 12345678901234567890 ns",
  "const isAuthenticated = useSessionStore((state) => state.isAuthenticated)",
])("and ordinary text stays: %s", async (text) => {
  expect(await redact(text)).toBe(text);
});
