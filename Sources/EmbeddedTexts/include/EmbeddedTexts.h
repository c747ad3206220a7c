#ifndef EMBEDDED_TEXTS_H
#define EMBEDDED_TEXTS_H

/// A file of the repository, embedded in the program: a page of diagnostics or a template. Without
/// this target the compiler of Swift would read each of their bytes as a literal, which takes half
/// a minute.
///
/// - Parameter path: Such as `Templates/swift/model.swift.mustache`.
/// - Returns: The contents, which end with a zero byte. Empty for a path that is not embedded.
const char *_Nonnull embeddedText(const char *_Nonnull path);

#endif
