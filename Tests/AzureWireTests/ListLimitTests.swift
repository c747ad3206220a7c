import SyncEngine
import TestKit
import Testing

@testable import AzureWire

/// The limits of lists are on the page *Limits*, with their numbers.
@Suite("Limits of lists") struct ListLimitTests {
    private static let scanned = Limits().scannedRecords

    @Test(arguments: [
        (AzureCall.maxSearches * scanned, "until the first row that the user sees;"),
        (AzureCall.maxPullSearches * scanned, "for a step of a pull | 1,000,000;"),
        (AzureCall.maxSkippingSearches * scanned, "while rows are passed over for `$skip` |"),
        (TableQuestion.maxRows, "of Azure Mobile, and of a step of a pull |"),
    ])
    func limitIsStated(number: Int, text: String) throws {
        let path = "Sources/Waggle/Documentation.docc/Limits.md"
        let page = String(decoding: try bytes(ofFile: path), as: UTF8.self)
        let rest = try #require(page.split(separator: text, maxSplits: 1).dropFirst().first)
        let stated = rest.prefix { $0 != "\n" }.drop { !$0.isNumber }
            .prefix { $0.isNumber || $0 == "," }.filter(\.isNumber)
        #expect(Int(stated) == number)
    }
}
