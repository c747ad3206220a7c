import Foundation
import Secrets
import Testing

@Suite("Fresh guids")
struct FreshGuidTests {
    private let guids = (0..<1000).map { _ in freshGuid() }

    @Test func noTwoAreTheSame() {
        #expect(Set(guids).count == guids.count)
    }

    @Test func guidsAreRandomUUIDs() {
        for guid in guids {
            #expect(UUID(uuidString: guid)?.uuidString.lowercased() == guid)
            let characters = Array(guid)
            #expect(characters[14] == "4" && "89ab".contains(characters[19]), "\(guid)")
        }
    }

    @Test func everyOtherBitIsChance() {
        let digits = guids.map { Array($0) }
        for place in 0..<36 where ![8, 13, 14, 18, 23].contains(place) {
            let variety = Set(digits.map { $0[place] }).count
            #expect(variety == (place == 19 ? 4 : 16), "place \(place)")
        }
    }
}
