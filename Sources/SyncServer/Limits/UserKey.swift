/// A user of an environment.
struct UserKey: Hashable {
    let environment: String
    let login: String
}
