package io.margay.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/// A recording by the JDK's flight recorder in another JVM: samples of processor time, and
/// collections. Confined to one thread.
public final class FlightRecording implements AutoCloseable {
    private static final String SETTINGS =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <configuration version="2.0">
              <event name="%s">
                <setting name="enabled">true</setting>
                <setting name="throttle">5 ms</setting>
                <setting name="stackTrace">true</setting>
              </event>
              <event name="%s"><setting name="enabled">true</setting></event>
            </configuration>
            """
                    .formatted(Profile.SAMPLE, Profile.COLLECTION);

    private final Path jcmd;
    private final long process;
    private final Path folder;
    private final long begun = System.nanoTime();
    private boolean ended;

    private FlightRecording(Path javaHome, long process, Path folder) {
        jcmd = javaHome.resolve("bin/jcmd");
        this.process = process;
        this.folder = folder;
    }

    /// Begins one.
    ///
    /// @param folder for its files
    public static FlightRecording begin(Path javaHome, long process, Path folder)
            throws IOException {
        Path settings = Files.writeString(folder.resolve("profile.jfc"), SETTINGS);
        FlightRecording made = new FlightRecording(javaHome, process, folder);
        made.call("JFR.start", "name=profile", "settings=" + settings.toAbsolutePath());
        return made;
    }

    /// The first of these processes that is a JVM.
    public static OptionalLong jvm(Collection<List<Long>> processes) {
        return processes.stream()
                .flatMap(List::stream)
                .mapToLong(Long::longValue)
                .filter(FlightRecording::isJvm)
                .findFirst();
    }

    private static boolean isJvm(long process) {
        return ProcessHandle.of(process)
                .flatMap(handle -> handle.info().command())
                .filter(command -> command.endsWith("/java"))
                .isPresent();
    }

    /// Ends it.
    ///
    /// @return its file, which the next recording replaces
    public Path end() throws IOException {
        Path file = folder.resolve("profile.jfr").toAbsolutePath();
        Files.deleteIfExists(file);
        call("JFR.stop", "name=profile", "filename=" + file);
        ended = true;
        return file;
    }

    /// Ends it without its file, unless it has ended.
    @Override
    public void close() throws IOException {
        if (!ended) {
            ended = true;
            call("JFR.stop", "name=profile");
        }
    }

    /// Ends it, and reads it.
    public Profile profile() throws IOException {
        Duration length = Duration.ofNanos(System.nanoTime() - begun);
        return Profile.of(end(), length);
    }

    private void call(String... words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(jcmd.toString());
        command.add(String.valueOf(process));
        command.addAll(List.of(words));
        String _ = Tools.run(command, folder);
    }
}
