// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else, that gets its models from the build plugin and from the command.
let package = Package(
    name: "OutsidePackage",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "waggle", path: "../..")],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: ["Kept", .product(name: "Waggle", package: "waggle")],
            plugins: [.plugin(name: "WaggleModels", package: "waggle")]),
        // With its models in git, as 'swift package waggle-models' writes them.
        .target(
            name: "Kept",
            dependencies: [.product(name: "Waggle", package: "waggle")],
            exclude: ["application.xml", "waggle.json"]),
        // With a definition that is not sound: it must not build.
        .target(
            name: "Mistaken",
            dependencies: [.product(name: "Waggle", package: "waggle")],
            plugins: [.plugin(name: "WaggleModels", package: "waggle")]),
    ])
