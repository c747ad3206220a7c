package import DefinitionModel

extension Documents {
    /// Parcels with a unique `code`, `weight` and `shelf`, and shelves with a unique `code`.
    package static func parcels(_ mode: ConflictMode = .manual) -> String {
        document(
            mode,
            models: """
                <model name="Parcel">
                  <fields>
                    \(unique("code", "TEXT"))
                    \(unique("weight", "DECIMAL"))
                    \(unique("shelf", "BELONGS_TO", options: """
                        <option name="model">Shelf</option>
                        """))
                    \(field("note", "TEXT", read: "ALL"))
                  </fields>
                  \(credentials(resolving: true))
                </model>
                <model name="Shelf">
                  <fields>
                    \(unique("code", "TEXT"))
                    \(field("note", "TEXT", read: "ALL"))
                  </fields>
                  \(credentials(resolving: true))
                </model>
                """)
    }

    /// The unique `code` has a default.
    package static let labels = document(
        .manual,
        models: """
            <model name="Parcel">
              <fields>\(unique("code", "TEXT", defaultValue: "none"))</fields>
              \(credentials(resolving: true))
            </model>
            """)

    private static func unique(
        _ name: String, _ type: String, defaultValue: String? = nil, options: String = ""
    ) -> String {
        field(
            name, type, defaultValue: defaultValue, read: "ALL", own: "w:unique=\"true\"",
            options: options)
    }
}
