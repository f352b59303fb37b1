package io.margay.app;
import java.util.List; import java.nio.file.Path;
final class AppCheck { static List<String> app(Path p) { return List.of(); } static List<String> folder(Path p) { return List.of(); } }
