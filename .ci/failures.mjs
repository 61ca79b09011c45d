// What failed in a report of vitest's: `node .ci/failures.mjs list|files REPORT`.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const [what, report] = process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(report, "utf8"));
const bad = testResults.filter(({ status }) => status === "failed");
const nameOf = ({ name }) => relative(process.cwd(), name);

if (what === "files") for (const file of bad) console.log(nameOf(file));
else
  for (const file of bad) {
    const failed = file.assertionResults.filter(({ status }) => status === "failed");
    // A file that could not be read at all has no test to blame.
    if (failed.length === 0) console.log(`  ${nameOf(file)}: ${firstLines(file.message ?? "")}`);
    for (const { fullName, failureMessages } of failed)
      console.log(`  ${nameOf(file)} > ${fullName}\n    ${firstLines(failureMessages.join("\n"))}`);
  }

function firstLines(text) {
  return text.split("\n").slice(0, 6).join("\n    ").slice(0, 800);
}
