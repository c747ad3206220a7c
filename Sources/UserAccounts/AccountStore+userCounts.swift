package import SyncEngine

extension AccountStore {
    /// The number of users of each of these groups. Memory holds a page of users.
    package func userCounts(
        ofGroups groups: [String], in environment: EnvironmentID
    ) async throws(StoreError) -> [String: Int] {
        guard !groups.isEmpty else { return [:] }
        var counts: [String: Int] = [:]
        var last = ""
        while true {
            let query = UserQuery(environment: environment, after: last, limit: 1000)
            let users = try await self.users(matching: query)
            for user in users where groups.contains(user.group) {
                counts[user.group, default: 0] += 1
            }
            guard users.count == query.limit, let login = users.last?.login else { return counts }
            last = login
        }
    }
}
