package io.margay.app.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/// A page of the documentation. Immutable.
record Document(Path file, List<String> lines) {
    static final Path ROOT =
            Path.of(System.getProperty("margay.root", "..")).toAbsolutePath().normalize();

    /// Lines between fences, and the word behind the first fence.
    record Block(Document document, String language, List<String> lines) {
        @Override
        public String toString() {
            return document + ": " + lines.getFirst();
        }
    }

    /// The pages that readers are led to.
    static List<Document> all() throws IOException {
        List<Document> all = new ArrayList<>();
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            for (Path file : Stream.concat(top, docs).sorted().toList()) {
                if (file.toString().endsWith(".md")) {
                    all.add(new Document(file, Files.readAllLines(file)));
                }
            }
        }
        return all;
    }

    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("```")) {
                int end = i + 1;
                while (!lines.get(end).equals("```")) {
                    end++;
                }
                blocks.add(new Block(this, line.substring(3), lines.subList(i + 1, end)));
                i = end;
            }
        }
        return blocks;
    }

    /// The text without what stands in code blocks.
    String prose() {
        StringBuilder prose = new StringBuilder();
        boolean code = false;
        for (String line : lines) {
            code ^= line.startsWith("```");
            if (!code) {
                prose.append(line).append('\n');
            }
        }
        return prose.toString();
    }

    /// What a link can name behind `#`, as GitHub makes it of headings.
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        prose().lines()
                .filter(line -> line.startsWith("#"))
                .map(line ->
                        line.replaceFirst("^#+ ", "")
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                                .replace(' ', '-'))
                .forEach(anchors::add);
        return anchors;
    }

    @Override
    public String toString() {
        return ROOT.relativize(file).toString();
    }
}
