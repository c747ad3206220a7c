import { createPages } from "./create-pages.js";
import { environmentPages, serverPages } from "./environment-pages.js";

/** The address of a page of `create-pages.js` or `serverPages`. */
export const pageAddress = (name) => `/console/${name}`;

/** The address of a page of an environment. */
export const environmentAddress = (environment, name) =>
  `/console/in/${encodeURIComponent(environment)}/${name}`;

/** The address of a line of the definition that an environment has. */
export const deployedLine = (environment, line) =>
  `/console/xml?in=${encodeURIComponent(environment)}#line-${line}`;

/** The environment in the address of this page; null for others. */
export function presentEnvironment() {
  const parts = location.pathname.split("/");
  return parts[2] === "in" ? decodeURIComponent(parts[3]) : null;
}

/** Whether an environment is one to try things in. Others hold what people rely on. */
export const isTest = (environment) => /^test($|-)/.test(environment);

/** All addresses with their titles, for Go to. */
export function allPages(environments) {
  const fixed = [...createPages, ...serverPages].map((page) =>
    ({ title: page.title, address: pageAddress(page.name), of: "" }));
  const ofEnvironments = environments.flatMap((environment) => environmentPages.map((page) =>
    ({ title: page.title, address: environmentAddress(environment, page.name), of: environment })));
  return [...fixed, ...ofEnvironments];
}

export { createPages, environmentPages, serverPages };
