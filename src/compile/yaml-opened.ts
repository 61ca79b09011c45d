import { type Document, isCollection, isScalar, visit } from "yaml";

/**
 * Where an error in YAML is to be mended. A bracket or a quote that is never closed is noticed where
 * the next line does not fit; the mistake is where it was opened.
 */
export function yamlOpened(doc: Document, offset: number, message: string): number {
  if (!/end with a [\]}]$|^Missing closing/.test(message)) return offset;
  let opened = offset;
  visit(doc, (_, node) => {
    const quoted = isScalar(node) && node.type?.startsWith("QUOTE");
    if (!quoted && !(isCollection(node) && node.flow)) return;
    const [start = offset, , end = start] = node.range ?? [];
    if (start <= offset && end >= offset) opened = start;
  });
  return opened;
}
