// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "LighthouseModels",
    platforms: [.macOS("27.0"), .iOS("27.0"), .visionOS("27.0")],
    products: [
        .library(name: "LighthouseModels", targets: ["LighthouseModels"])
    ],
    dependencies: [.package(name: "hearth", path: "../..")],
    targets: [
        .target(name: "LighthouseModels", dependencies: [.product(name: "FoundationModels", package: "hearth")]),
        .testTarget(
            name: "LighthouseModelsTests",
            dependencies: ["LighthouseModels", .product(name: "HearthTestKit", package: "hearth")]),
    ]
)
