package io.margay.app.yaml;

import io.margay.app.yaml.YamlNode.Broken;
import io.margay.app.yaml.YamlNode.Field;
import io.margay.app.yaml.YamlNode.Fields;
import io.margay.app.yaml.YamlNode.Items;
import io.margay.app.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/// Reads one YAML document into [YamlNode]s. The only class that knows the YAML library, of which
/// it uses the part that builds nodes: no object is ever constructed by a tag. Used by one thread.
final class YamlParser {
    /// Characters of a file at most: 100 000 hosts with their certificates take as many, a mistaken
    /// file may be anything.
    static final int CHARACTERS_MAX = 16 << 20;

    /// Nodes at most, counted where aliases are followed, so that a few nested aliases cannot make
    /// billions.
    static final int NODES_MAX = 2_000_000;

    /// Levels of nesting at most.
    static final int DEPTH_MAX = 50;

    private final String file;
    private final Environment environment;
    private final List<Problem> problems;
    private final int linesBefore;
    private final int linesLeftOut;
    private int nodes;

    YamlParser(String file, Environment environment, List<Problem> problems) {
        this(file, environment, problems, 0, 0);
    }

    /// Reads a file of which lines have been left out.
    ///
    /// @param before lines before those
    /// @param leftOut how many they are
    YamlParser(
            String file, Environment environment, List<Problem> problems, int before, int leftOut) {
        linesBefore = before;
        linesLeftOut = leftOut;
        this.file = file;
        this.environment = environment;
        this.problems = problems;
    }

    /// How many values have been read.
    int nodes() {
        return nodes;
    }

    /// The document's root; null when the file is empty or so broken that a problem says all.
    @Nullable YamlNode parse(String text) {
        return parse(text, 0);
    }

    /// The same of a part of a document.
    ///
    /// @param depth levels of nesting above it
    @Nullable YamlNode parse(String text, int depth) {
        Position start = new Position(file, 1, 1);
        if (text.length() > CHARACTERS_MAX) {
            problems.add(new Problem(start, "is longer than " + CHARACTERS_MAX + " characters"));
            return null;
        }
        LoadSettings settings =
                LoadSettings.builder()
                        .setLabel(file)
                        .setCodePointLimit(CHARACTERS_MAX)
                        .setUseMarks(true)
                        .build();
        try {
            StreamReader reader = new StreamReader(settings, text);
            Optional<Node> root =
                    new Composer(settings, new ParserImpl(settings, reader)).getSingleNode();
            return root.isEmpty() ? null : convert(root.get(), depth);
        } catch (MarkedYamlEngineException e) {
            Position at = e.getProblemMark().map(this::position).orElse(start);
            problems.add(new Problem(at, "is not valid YAML: " + e.getProblem() + hint(text, at)));
        } catch (TooLarge e) {
            problems.add(new Problem(start, e.text));
        } catch (YamlEngineException e) {
            problems.add(new Problem(start, "is not valid YAML: " + e.getMessage()));
        } catch (StackOverflowError e) {
            problems.add(new Problem(start, "is nested too deeply"));
        }
        return null;
    }

    private static String hint(String text, Position at) {
        String line = text.lines().skip(at.line() - 1L).findFirst().orElse("");
        if (line.indexOf('\t') >= 0 && line.stripLeading().length() < line.length()) {
            return "; indent with spaces, not with tabs";
        }
        return line.contains("${") && line.contains("{") ? "; put \"${...}\" in quotes here" : "";
    }

    private YamlNode convert(Node node, int depth) {
        if (depth > DEPTH_MAX) {
            throw new TooLarge("is nested deeper than " + DEPTH_MAX + " levels");
        }
        if (++nodes > NODES_MAX) {
            throw new TooLarge("has more than " + NODES_MAX + " values, aliases counted");
        }
        Position position = node.getStartMark().map(this::position).orElseThrow();
        return switch (node) {
            case ScalarNode scalar -> scalar(scalar, position);
            case SequenceNode sequence -> {
                List<YamlNode> items = new ArrayList<>();
                for (Node item : sequence.getValue()) {
                    items.add(convert(item, depth + 1));
                }
                yield new Items(position, List.copyOf(items));
            }
            case MappingNode mapping -> fields(mapping, position, depth);
            default -> throw new IllegalStateException(node.getClass().getName());
        };
    }

    private YamlNode scalar(ScalarNode node, Position position) {
        String text = node.getValue();
        boolean plain = node.getScalarStyle() == ScalarStyle.PLAIN;
        try {
            return new Scalar(position, environment.expand(text), plain);
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(position, String.valueOf(e.getMessage())));
            return new Broken(position);
        }
    }

    private YamlNode fields(MappingNode mapping, Position position, int depth) {
        List<Field> fields = new ArrayList<>();
        Map<String, Position> seen = new HashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Position at = tuple.getKeyNode().getStartMark().map(this::position).orElseThrow();
            if (!(tuple.getKeyNode() instanceof ScalarNode scalar)) {
                problems.add(new Problem(at, "a key must be a word"));
                continue;
            }
            String key = scalar.getValue();
            Position first = seen.putIfAbsent(key, at);
            if (first != null) {
                problems.add(
                        new Problem(
                                at,
                                "the key \""
                                        + key
                                        + "\" was given before, in line "
                                        + first.line()));
                continue;
            }
            fields.add(new Field(at, key, convert(tuple.getValueNode(), depth + 1)));
        }
        return new Fields(position, List.copyOf(fields));
    }

    private Position position(Mark mark) {
        int line = mark.getLine() + 1;
        return new Position(
                file, line > linesBefore ? line + linesLeftOut : line, mark.getColumn() + 1);
    }

    /// The document exceeds a limit of ours.
    private static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final String text;

        TooLarge(String text) {
            super(text);
            this.text = text;
        }
    }
}
