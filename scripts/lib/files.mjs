import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./run.mjs";

/**
 * All files under the given files and folders of the project that exist, sorted, with `/` between names.
 *
 * @param {readonly string[]} paths
 * @param {string} [root]
 * @returns {string[]}
 */
export function listFiles(paths, root = projectRoot) {
  return paths
    .filter((path) => existsSync(join(root, path)))
    .flatMap((path) =>
      statSync(join(root, path)).isDirectory()
        ? listFiles(
            readdirSync(join(root, path)).map((name) => `${path}/${name}`),
            root,
          )
        : [path],
    )
    .sort();
}
