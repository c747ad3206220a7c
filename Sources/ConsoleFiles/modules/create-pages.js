/** The pages to create an application, in the order of the rail. */
export const createPages = [
  { name: "models", title: "Models" },
  { name: "rights", title: "Rights" },
  { name: "groups", title: "Groups & roles" },
  { name: "diagram", title: "Diagram" },
  { name: "xml", title: "XML" },
  { name: "versions", title: "Versions" },
  { name: "download", title: "Download" },
  { name: "simulate", title: "Simulate" },
];
