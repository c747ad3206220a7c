/// The identification of a client, which every request has in its headers.
struct ClientIdentity: Hashable {
    let vendor: String
    let application: String
    /// The clients call it an instance.
    let environment: String
    /// The digest of the definition that the client was made for.
    let digest: String
    let deviceCategory: String
    let deviceIdentifier: String
    let login: String
    /// In plain text. Never logged or stored.
    let password: String
    var library = ClientLibrary.other
}

extension ClientIdentity {
    /// - Parameter header: Returns the value of a header by its lower-case name; nil if absent.
    init(header: (String) -> String?) throws(WireRefusal) {
        func value(_ name: String) throws(WireRefusal) -> String {
            guard let value = header(name), !value.isEmpty else {
                throw .headerMissing(name)
            }
            return value
        }
        vendor = try value("mas-vendor-name")
        application = try value("mas-application-name")
        environment = try value("mas-application-instance-name")
        digest = try value("mas-definition-digest")
        deviceCategory = try value("mas-device-name")
        deviceIdentifier = try value("mas-device-identifier")
        login = try value("mas-user-name")
        password = try value("mas-user-password")
        library = ClientLibrary(version: header("mas-sdk-version") ?? "")
    }
}
