import EmbeddedTexts

/// A file of the repository that is embedded in the program: a page of diagnostics, a template or
/// an example. Empty for a path that is not embedded.
///
/// SwiftPM keeps one record of what it has built for plugins and one of everything else, and an
/// object file of C is new each time it is compiled. So each build compiles those of a plugin's
/// tool again, and with them the modules that depend on C. This one is small, and its own object
/// files stay the same.
package func embeddedText(at path: String) -> String {
    String(cString: EmbeddedTexts.embeddedText(path))
}
