#include "ConsoleFiles.h"

// SwiftPM compiles C as C17, in which clang has #embed as an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

// The files by the pages that they belong to. Each list has the entries of an array.
static const ConsoleFile files[] = {
#include "shell.h"
#include "create.h"
#include "environment.h"
};

const ConsoleFile *consoleFile(unsigned long number) {
    return number < sizeof files / sizeof *files ? &files[number] : 0;
}
