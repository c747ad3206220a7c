// The files of the pages to create an application.
