// The files of the pages of environments and of the server.
