/** The pages of an environment, in the order of the rail. */
export const environmentPages = [
  { name: "overview", title: "Overview" },
  { name: "records", title: "Records" },
  { name: "conflicts", title: "Conflicts" },
  { name: "users", title: "Users" },
  { name: "devices", title: "Devices" },
  { name: "files", title: "Files" },
  { name: "notifications", title: "Notifications" },
  { name: "deployments", title: "Deployments" },
  { name: "explain", title: "Explain" },
  { name: "phones", title: "Two phones" },
];

/** The pages of the whole server. */
export const serverPages = [
  { name: "operators", title: "Operators" },
  { name: "tokens", title: "Tokens" },
  { name: "activity", title: "Activity" },
  { name: "metrics", title: "Metrics" },
];
