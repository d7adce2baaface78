import base from "./playwright.config.ts";

/** `npm run pictures`: takes the pictures of the page that docs/images has. */
export default { ...base, testMatch: "**/*.pictures.ts", timeout: 180_000 };
