#ifndef CONSOLE_FILES_H
#define CONSOLE_FILES_H

/// A file of the console, embedded in the program.
typedef struct {
    /// The path in this folder, such as `pages/models.html`.
    const char *path;
    /// The contents, which end with a zero byte. No file has another one.
    const unsigned char *bytes;
} ConsoleFile;

/// The file with this number, from zero; null if there are fewer files.
const ConsoleFile *consoleFile(unsigned long number);

#endif
