/** The pages to create an application, in the order of the rail. */
export const createPages = [];
