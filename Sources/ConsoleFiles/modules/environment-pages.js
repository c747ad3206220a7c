/** The pages of an environment, in the order of the rail. */
export const environmentPages = [];

/** The pages of the whole server. */
export const serverPages = [];
