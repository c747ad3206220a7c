import Foundation
import Testing
import Waggle

@Suite("JSON and bytes are values of their own")
struct FormattedValueTests {
    private struct Size: Codable, Equatable {
        var width: Int
        var height: Int?
    }

    @Test(arguments: [
        ("{}", "{}"), (#" { "b" : 1.0, "a" : [ ] } "#, #"{"a":[],"b":1}"#),
    ])
    func documentHasOneForm(text: String, form: String) throws {
        let document = try #require(JSONDocument(text))
        #expect(document.text == form && document.stored == form.stored)
        #expect(JSONDocument(document.stored) == document)
        let coded = try JSONEncoder().encode([document])
        #expect(try JSONDecoder().decode([JSONDocument].self, from: coded) == [document])
    }

    @Test(arguments: ["null", "5", "[", #"{"a":1,"a":1}"#])
    func otherTextsAreNoDocuments(text: String) { #expect(JSONDocument(text) == nil) }

    @Test func valueEncodesItself() throws {
        let document = try JSONDocument(encoding: Size(width: 35, height: 2))
        #expect(document.text == #"{"height":2,"width":35}"#)
        #expect(try document.decoded(as: Size.self) == Size(width: 35, height: 2))
        #expect(throws: EncodingError.self) { try JSONDocument(encoding: 5) }
        #expect(throws: DecodingError.self) { try document.decoded(as: [Int].self) }
    }

    @Test func bytesAreBase64() throws {
        let bytes = Bytes(Data([255, 239]))
        #expect(bytes.text == "/+8=" && bytes.data == Data([255, 239]))
        #expect(bytes.stored == "/+8=".stored && Bytes("/+8=".stored) == bytes)
        let coded = try JSONEncoder().encode([bytes])
        #expect(try JSONDecoder().decode([Bytes].self, from: coded) == [bytes])
    }

    @Test func pointHasDegrees() throws {
        let point = try #require(GeoPoint(latitude: 52.5, longitude: -13.25))
        #expect(point.text == "52.5,-13.25")
        #expect(point.latitude == 52.5 && point.longitude == -13.25)
        #expect(GeoPoint(latitude: 0.1 + 0.2, longitude: 1e-20)?.text == "0.3,0")
        for (latitude, longitude) in [(90.5, 0), (0, -181), (.nan, 0), (0, .infinity)] {
            #expect(GeoPoint(latitude: latitude, longitude: longitude) == nil)
        }
        #expect(GeoPoint("here".stored)?.latitude.isNaN == true)
    }

    /// Records from before a field got its format can still be read.
    @Test func olderTextIsKept() throws {
        #expect(JSONDocument("plain".stored)?.text == "plain")
        #expect(Bytes("plain".stored)?.data == Data())
        #expect(JSONDocument(StoredField.null) == nil && Bytes(Int64(5).stored) == nil)
    }

    @Test func generatedModelHasThem() throws {
        var reel = Reel(seal: Bytes(Data([1])), shotAt: GeoPoint(latitude: 1, longitude: 2))
        #expect(try reel.size.decoded(as: Size.self) == Size(width: 35))
        #expect(reel.notes == .null)
        reel.notes = .value(try JSONDocument(encoding: ["cut"]))
        #expect(try Reel(reel.values) == reel)
        #expect(reel.values["notes"] == #"["cut"]"#.stored)
    }
}
