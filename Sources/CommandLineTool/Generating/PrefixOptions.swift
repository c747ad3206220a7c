import ArgumentParser

/// Options for the prefixes of generated names.
struct PrefixOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("model-prefix")],
        help: "The prefix of the models' types, such as MMD.")
    var prefix = ""

    @Option(
        help: """
            The prefix of other names, such as MD: that of the constant with the definition, and \
            of a new app's own types. The default for the constant is the prefix of the models.
            """)
    var classPrefix: String?
}
