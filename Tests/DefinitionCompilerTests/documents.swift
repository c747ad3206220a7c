import DefinitionCompiler

/// A valid document with one model `Order` with these fields.
func document(fields: String) -> String {
    document(models: "<model name=\"Order\">\n<fields>\(fields)</fields>\n</model>")
}

/// A valid document with the role `users-mobile` and these models.
func document(models: String) -> String {
    """
    <application application="shop" vendor="acme">
    <devices><device name="mobile"/></devices>
    <groups><group name="users"/></groups>
    <roles><role group="users" device="mobile"/></roles>
    <models>\(models)</models>
    </application>
    """
}

func compile(
    text: String, within limits: CompilerLimits = CompilerLimits()
) -> Compilation {
    compile(bytes: Array(text.utf8), within: limits)
}

func compile(
    bytes: [UInt8], within limits: CompilerLimits = CompilerLimits()
) -> Compilation {
    compile(SourceFile(name: "application.xml", bytes: bytes), within: limits)
}

/// Compiles without diagnostics.
let soundDocument = document(
    models: """
        <model name="Order">
        <fields><field name="a" type="TEXT"><credentials><credential role="users-mobile"
        createAllowed="ALL" readAllowed="ALL" updateAllowed="ALL"/></credentials></field></fields>
        <credentials><credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
        updateAllowed="ALL" deleteAllowed="ALL" resolveConflictAllowed="true"/></credentials>
        </model>
        """)
