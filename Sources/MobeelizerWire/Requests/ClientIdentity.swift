/// Who asks, from where and for what, as every request says in its headers.
struct ClientIdentity: Hashable {
    let vendor: String
    let application: String
    /// The clients' word for it is an instance.
    let environment: String
    /// Of the definition that the client was made for.
    let digest: String
    let deviceCategory: String
    let deviceIdentifier: String
    let login: String
    /// As it was typed. Never logged, never stored.
    let password: String
}

extension ClientIdentity {
    /// `header` gives the value of a header by its name in lower case, nil where it was not sent.
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
    }
}
