package import Monitoring

/// The metrics of a server; the page *Operating* has a row for each.
package enum ServerMetric {
    package static let all =
        [
            requests, requestSeconds, errors, changes, conflicts, receivedBytes, sentBytes,
            connections, waitingPushes, waitingSignIns, heldBytes, maxHeldBytes, uploads,
            commitSeconds, pageReadSeconds, cachedPages, readPages, liveStreams, databaseIsUp,
            freeDiskBytes, lastBackup, failedBackups, filledRecords, unfinishedFills,
        ] + ProcessMetrics.all

    static let requests = MetricDeclaration(
        "waggle_requests_total", .counter,
        "Answered requests, by route, method and class of status.",
        labels: ["route", "method", "status"])
    static let requestSeconds = MetricDeclaration(
        "waggle_request_seconds", .histogram,
        "Time from the head of a request to the head of its response, by route and method.",
        labels: ["route", "method"])
    static let errors = MetricDeclaration(
        "waggle_errors_total", .counter, "Error responses, by code.", labels: ["code"])
    static let changes = MetricDeclaration(
        "waggle_changes_total", .counter, "Pushed changes, by outcome.", labels: ["outcome"])
    static let conflicts = MetricDeclaration(
        "waggle_open_conflicts", .gauge, "Open conflicts, by environment.",
        labels: ["environment"])
    static let receivedBytes = MetricDeclaration(
        "waggle_received_bytes_total", .counter, "Bytes received from clients.")
    static let sentBytes = MetricDeclaration(
        "waggle_sent_bytes_total", .counter, "Bytes sent to clients.")
    static let connections = MetricDeclaration(
        "waggle_connections", .gauge, "Open connections.")
    static let waitingPushes = MetricDeclaration(
        "waggle_waiting_pushes", .gauge, "Pushes that wait for a transaction.")
    static let waitingSignIns = MetricDeclaration(
        "waggle_waiting_sign_ins", .gauge, "Sign-ins that wait for their password to be verified.")
    static let heldBytes = MetricDeclaration(
        "waggle_held_bytes", .gauge, "Memory that bodies and responses hold, in bytes.")
    static let maxHeldBytes = MetricDeclaration(
        "waggle_max_held_bytes", .gauge, "The limit on that memory, 'maxHeldBytes'.")
    static let uploads = MetricDeclaration(
        "waggle_uploads", .gauge, "Uploads in progress.")
    static let commitSeconds = MetricDeclaration(
        "waggle_commit_seconds", .histogram,
        "Time of a transaction that writes pushes, with the wait for its lock.")
    static let pageReadSeconds = MetricDeclaration(
        "waggle_page_read_seconds", .histogram, "Time to read a page of records.")
    static let cachedPages = MetricDeclaration(
        "waggle_cached_pages_total", .counter, "Pages that came from the cache.")
    static let readPages = MetricDeclaration(
        "waggle_uncached_pages_total", .counter,
        "Pages that may be cached and were read from the database.")
    static let liveStreams = MetricDeclaration(
        "waggle_live_streams", .gauge, "Open live streams.")
    static let databaseIsUp = MetricDeclaration(
        "waggle_database_up", .gauge, "1 while the database can be read, otherwise 0.")
    /// The file system is that of the database, or that of transfers for PostgreSQL.
    package static let freeDiskBytes = MetricDeclaration(
        "waggle_free_disk_bytes", .gauge, "Free space where this process writes, in bytes.")
    package static let lastBackup = MetricDeclaration(
        "waggle_last_backup_seconds", .gauge,
        "When the last backup of this process was verified, in seconds since 1970.")
    package static let failedBackups = MetricDeclaration(
        "waggle_failed_backups_total", .counter, "Backups that failed, or lack contents of files.")
    static let filledRecords = MetricDeclaration(
        "waggle_filled_records_total", .counter,
        "Records to which this process gave the values of deployments.")
    static let unfinishedFills = MetricDeclaration(
        "waggle_unfinished_fills", .gauge,
        "Deployments whose values are not yet in all records.")
}
