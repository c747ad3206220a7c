import Foundation
import Waggle

extension App {
    /// Where the records are, and where the server is. What is said here is for trying it out; the
    /// environment of the process may say otherwise.
    private static func settings(_ variables: [String: String]) throws -> Waggle.Settings {
        let address = variables["WAGGLE_SERVER"] ?? "http://127.0.0.1:8080"
        guard let server = URL(string: address), server.host() != nil else {
            throw Mistake("'\(address)' is not the address of a server")
        }
        return Waggle.Settings(
            // Whose records: '.production' are others than those of '.test'.
            mode: .test,
            server: server,
            // What this is, with which a user has a role.
            deviceCategory: variables["WAGGLE_DEVICE"] ?? "mobile",
            // One for each device, seen from where the app is started.
            folder: URL(filePath: variables["WAGGLE_FOLDER"] ?? ".waggle"))
    }

    /// A password is neither shown nor kept. Whoever was here before can come back without a
    /// network.
    static func signedIn() async throws -> Database {
        let variables = ProcessInfo.processInfo.environment
        let database = try Database(.dates, settings(variables))
        let login = variables["WAGGLE_LOGIN"] ?? typed("Login: ")
        let password = variables["WAGGLE_PASSWORD"] ?? typedUnseen("Password: ")
        try await database.logIn(login, password: password)
        return database
    }

    private static func typed(_ prompt: String) -> String {
        FileHandle.standardError.write(Data(prompt.utf8))
        return readLine() ?? ""
    }

    private static func typedUnseen(_ prompt: String) -> String {
        getpass(prompt).map { String(cString: $0) } ?? ""
    }
}
