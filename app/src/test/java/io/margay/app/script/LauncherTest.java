package io.margay.app.script;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Runs `./margay` and `bin/find-jdk` in a distribution made for the purpose, whose JDKs are
/// scripts that print how they were called.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a POSIX shell script")
final class LauncherTest {
    private static final Path CHECKOUT = Path.of(System.getProperty("margay.root", ".."));

    /// Prints the process id, the folder it is in, and each argument on a line.
    private static final String JAVA = "#!/bin/sh\necho $$\npwd\nprintf '%s\\n' \"$@\"\n";

    @TempDir Path temporary = Path.of("");
    private Path home = Path.of("");
    private Path jvms = Path.of("");

    @BeforeEach
    void makeDistribution() throws IOException {
        var real = temporary.toRealPath();
        home = Files.createDirectories(real.resolve("a place/margay 1"));
        jvms = Files.createDirectories(real.resolve("j v m"));
        Files.createDirectories(home.resolve("lib"));
        Files.createDirectories(home.resolve("bin"));
        for (var script : List.of("margay", "bin/find-jdk")) {
            Files.copy(CHECKOUT.resolve(script), home.resolve(script));
            makeExecutable(home.resolve(script));
        }
    }

    @Test
    void arguments_withBlanksAndStars_arriveUnchanged() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        var result = run(Map.of(), "run", "a  b", "*", "", "-x");
        var lines = result.output().lines().toList();
        int main = lines.indexOf("io.margay.app.command.Main");
        assertEquals(List.of("run", "a  b", "*", "", "-x"), lines.subList(main + 1, lines.size()));
        assertEquals(home + "/lib/*", lines.get(main - 1));
        assertEquals(0, result.exit());
    }

    @Test
    void jvm_takesThePlaceOfTheScriptInTheSameFolder() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        var result = run(Map.of());
        var lines = result.output().lines().toList();
        assertEquals(Long.toString(result.pid()), lines.get(0), "signals must reach the JVM");
        assertEquals(temporary.toRealPath().toString(), lines.get(1));
    }

    @Test
    void symbolicLinks_relativeAndChained_areFollowed() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        var folder = Files.createDirectory(temporary.resolve("links"));
        Files.createSymbolicLink(folder.resolve("one"), Path.of("../a place/margay 1/margay"));
        Files.createSymbolicLink(folder.resolve("two"), folder.resolve("one").toAbsolutePath());
        var result = run(Map.of(), List.of(folder.resolve("two").toString()));
        assertTrue(result.output().contains(home + "/lib/*"), result.output());
    }

    @Test
    void javaOptions_areSplitAtBlanksWithoutExpandingFileNames() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        var output = run(Map.of("MARGAY_JAVA_OPTS", "-Da=* -Xmx99m")).output();
        assertTrue(output.contains("\n-Da=*\n-Xmx99m\n"), output);
    }

    @Test
    void heap_onTwoProcessors_beginsSmall_unlessAnOptionSpeaksOfIt() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        var folder = Files.createDirectory(temporary.resolve("processors"));
        var nproc = folder.resolve("nproc");
        makeExecutable(Files.writeString(nproc, "#!/bin/sh\necho 2\n"));
        var path = Map.of("PATH", folder + ":" + System.getenv("PATH"));
        var small = "\n-XX:+UseSerialGC\n-Xms24m\n";
        assertTrue(run(path).output().contains(small));
        for (var variable : List.of("MARGAY_JAVA_OPTS", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")) {
            for (var option : List.of("-Xmx9m", "-XX:+UseG1GC", "-XX:MaxRAMPercentage=9")) {
                var environment = new HashMap<>(path);
                environment.put(variable, "-Da=b " + option);
                var output = run(environment).output();
                assertFalse(output.contains("-Xms24m"), output);
            }
        }
        Files.writeString(nproc, "#!/bin/sh\necho 4\n");
        assertFalse(run(path).output().contains("SerialGC"));
    }

    @Test
    void memoryThatRunsOut_endsTheProcess() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        var output = run(Map.of()).output();
        assertTrue(output.contains("\n-XX:+ExitOnOutOfMemoryError\n"), output);
    }

    @Test
    void noJdk_isSaidOnceWithWhatToInstall() throws Exception {
        makeJdk("jdk-24", "24.0.2");
        var result = run(Map.of());
        assertEquals(1, result.exit());
        assertTrue(result.output().startsWith("margay: no JDK 25 or newer"), result.output());
        assertTrue(result.output().contains("openjdk-25-jdk"), result.output());
        assertEquals(1, result.output().split("no JDK", -1).length - 1, result.output());
    }

    @Test
    void checkout_isBuiltOnlyWhenASourceIsNewer() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        var source = makeCheckout();
        assertTrue(run(Map.of()).output().contains("BUILT"), "never built");
        var second = run(Map.of()).output();
        assertFalse(second.contains("BUILT"), second);
        assertTrue(second.contains(home + "/app/target/lib/*"), second);

        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
        assertFalse(run(Map.of("MARGAY_NO_BUILD", "1")).output().contains("BUILT"));
        assertTrue(run(Map.of()).output().contains("BUILT"), "a source is newer");
    }

    @Test
    void lab_isBuiltWhenItIsStarted_andNotWithTheServer() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        makeCheckout();
        assertTrue(run(Map.of()).output().contains("BUILT margay\n"));
        var lab = run(Map.of(), "lab").output();
        assertTrue(lab.contains("BUILT lab\n") && lab.contains(home + "/lab/target/lib/*"), lab);
        assertFalse(run(Map.of(), "lab").output().contains("BUILT"));
    }

    @Test
    void checkout_withADeletedSource_isBuilt() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        var source = makeCheckout();
        var parent = home.resolve("app/src/main/java");
        run(Map.of());
        Files.delete(source);
        var later = FileTime.from(Instant.now().plusSeconds(60));
        Files.setLastModifiedTime(parent, later);
        assertTrue(run(Map.of()).output().contains("BUILT"));
    }

    @Test
    void checkout_whoseBuildFails_doesNotStart() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        makeCheckout();
        Files.writeString(home.resolve("bin/build"), "#!/bin/sh\nexit 1\n");
        var result = run(Map.of());
        assertEquals(1, result.exit());
        assertTrue(result.output().contains("the build failed"), result.output());
        assertFalse(result.output().contains("io.margay.app.command.Main"), result.output());
    }

    @Test
    void usualFolders_withSeveralJdks_giveTheOldestThatFits() throws Exception {
        makeJdk("jdk-11", "11.0.1");
        var expected = makeJdk("jdk-25", "25.0.1");
        makeJdk("jdk-26", "26-ea");
        makeJdk("jdk-8", "1.8.0_402");
        assertEquals(expected + "\n", findJdk(Map.of(), "run").output());
    }

    @Test
    void javaHome_thatIsTooOld_isPassedOver() throws Exception {
        var old = makeJdk("jdk-17", "17.0.15");
        var expected = makeJdk("jdk-25", "25.0.1");
        assertEquals(expected + "\n", findJdk(Map.of("JAVA_HOME", old.toString()), "run").output());
    }

    @Test
    void javaHome_thatFits_goesBeforeTheUsualFolders() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        var newer = makeJdk("jdk-26", "26.0.1");
        assertEquals(newer + "\n", findJdk(Map.of("JAVA_HOME", newer.toString()), "run").output());
    }

    @Test
    void margayJavaHome_thatIsTooOld_isAnErrorThatNamesIt() throws Exception {
        var old = makeJdk("jdk-17", "17.0.15");
        makeJdk("jdk-25", "25.0.1");
        var result = findJdk(Map.of("MARGAY_JAVA_HOME", old.toString()), "run");
        assertEquals(2, result.exit());
        assertTrue(result.output().contains(old.toString()), result.output());
    }

    @Test
    void jdk_withoutReleaseFile_isAskedForItsVersion() throws Exception {
        var jdk = makeJdk("jdk", "25");
        Files.delete(jdk.resolve("release"));
        Files.writeString(
                jdk.resolve("bin/java"), "#!/bin/sh\necho 'openjdk version \"25.0.1\" 2025' >&2\n");
        assertEquals(jdk + "\n", findJdk(Map.of(), "run").output());
    }

    @Test
    void runtime_withoutCompiler_runsButDoesNotBuild() throws Exception {
        var jre = makeJdk("jre-25", "25.0.1");
        Files.delete(jre.resolve("bin/javac"));
        assertEquals(jre + "\n", findJdk(Map.of(), "run").output());
        assertEquals(2, findJdk(Map.of(), "build").exit());
    }

    /// What runs on Windows cannot be run here: it is read.
    @Test
    void windowsScript_startsTheSameProgramWithTheSameOptions() throws Exception {
        makeJdk("jdk-25", "25.0.1");
        var folder = Files.createDirectory(temporary.resolve("processors"));
        var nproc = folder.resolve("nproc");
        var path = folder + ":" + System.getenv("PATH");
        for (int processors : List.of(2, 4)) {
            makeExecutable(Files.writeString(nproc, "#!/bin/sh\necho " + processors + "\n"));
            var environment =
                    Map.of("PATH", path, "MARGAY_NO_CACHE", "1", "MARGAY_JAVA_OPTS", "-Da=b");
            var here =
                    run(environment, "run", "a.war")
                            .output()
                            .lines()
                            .skip(2)
                            // For upgrades, which Windows does not have.
                            .filter(word -> !word.startsWith("-Dmargay.launcher="))
                            .toList();
            assertEquals(here, windowsCommand(processors, "-Da=b", "run", "a.war"));
        }
    }

    /// The arguments of the JVM that the script for Windows passes on, with the folders of `home`.
    private List<String> windowsCommand(int processors, String options, String... arguments)
            throws IOException {
        var lines = Files.readAllLines(CHECKOUT.resolve("margay.cmd"));
        var flags = new StringBuilder();
        String heap = "";
        String start = "";
        for (var line : lines) {
            if (line.startsWith("set \"flags=")) {
                String value = line.substring("set \"flags=".length(), line.lastIndexOf('"'));
                flags.append(value.replace("%flags%", ""));
            } else if (line.startsWith("set \"heap=-")) {
                heap = line.substring("set \"heap=".length(), line.lastIndexOf('"'));
            } else if (line.startsWith("\"%java%\" ")) {
                start = line.substring("\"%java%\" ".length());
            }
        }
        assertTrue(lines.contains("if %NUMBER_OF_PROCESSORS% GTR 2 set \"heap=\""));
        var words = new ArrayList<String>();
        for (var word : start.split(" ")) {
            switch (word) {
                case "%flags%" -> words.addAll(List.of(flags.toString().split(" ")));
                case "%heap%" ->
                        words.addAll(processors > 2 ? List.of() : List.of(heap.split(" ")));
                case "%MARGAY_JAVA_OPTS%" -> words.add(options);
                case "%*" -> words.addAll(List.of(arguments));
                default ->
                        words.add(
                                word.replace("\"", "")
                                        .replace('\\', '/')
                                        .replace("%root%", home.toString())
                                        .replace("%lib%", home + "/lib"));
            }
        }
        return words;
    }

    @Test
    void windowsScript_hasEachLabelThatItGoesTo_andItsOwnEndsOfLines() throws Exception {
        var text = Files.readString(CHECKOUT.resolve("margay.cmd"));
        assertEquals(0, text.replace("\r\n", "").chars().filter(it -> it == '\n').count());
        var labels =
                Pattern.compile("(?m)^:(\\w+)")
                        .matcher(text)
                        .results()
                        .map(it -> it.group(1))
                        .toList();
        var targets =
                Pattern.compile("(?:goto |call :)(\\w+)")
                        .matcher(text)
                        .results()
                        .map(it -> it.group(1))
                        .collect(Collectors.toSet());
        assertEquals(Set.copyOf(labels), targets);
        assertEquals(labels.size(), targets.size(), "no label twice");
    }

    private Path makeJdk(String name, String version) throws IOException {
        var jdk = jvms.resolve(name);
        Files.createDirectories(jdk.resolve("bin"));
        for (var program : List.of("bin/java", "bin/javac")) {
            makeExecutable(Files.writeString(jdk.resolve(program), JAVA));
        }
        var release = "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\nOS_NAME=\"y\"\n";
        Files.writeString(jdk.resolve("release"), release);
        return jdk;
    }

    /// Makes the distribution a checkout, whose build is a script. Returns its only source.
    private Path makeCheckout() throws IOException {
        Files.delete(home.resolve("lib"));
        Files.copy(CHECKOUT.resolve("bin/stale"), home.resolve("bin/stale"));
        var build = "#!/bin/sh\necho BUILT $2\ncd \"${0%/*}/..\"\n";
        build += "mkdir -p target app/target/lib lab/target/lib\ntouch target/$2.stamp\n";
        makeExecutable(Files.writeString(home.resolve("bin/build"), build));
        var folder = Files.createDirectories(home.resolve("app/src/main/java"));
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        return Files.writeString(folder.resolve("A.java"), "class A {}");
    }

    private static void makeExecutable(Path file) {
        assertTrue(file.toFile().setExecutable(true));
    }

    private Result findJdk(Map<String, String> environment, String purpose) throws Exception {
        return run(environment, List.of(home.resolve("bin/find-jdk").toString(), purpose));
    }

    private Result run(Map<String, String> environment, String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(home.resolve("margay").toString()));
        command.addAll(List.of(arguments));
        return run(environment, command);
    }

    /// Runs `command` where no JDK but those of `jvms` can be found.
    private Result run(Map<String, String> environment, List<String> command) throws Exception {
        var builder = new ProcessBuilder(command);
        builder.directory(temporary.toRealPath().toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", programsWithoutJava().toString());
        builder.environment().put("MARGAY_JVM_DIRS", jvms.toString());
        builder.environment().putAll(environment);
        var process = builder.start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it does not end");
        return new Result(process.pid(), process.exitValue(), output);
    }

    /// A folder with the few programs the scripts call, for the usual ones may hold a JDK.
    private Path programsWithoutJava() throws IOException {
        var folder = Files.createDirectories(temporary.resolve("programs"));
        for (var program : List.of("dirname", "find", "mkdir", "readlink", "sed", "touch")) {
            var place = Files.exists(Path.of("/bin", program)) ? "/bin/" : "/usr/bin/";
            var script = "#!/bin/sh\nexec " + place + program + " \"$@\"\n";
            makeExecutable(Files.writeString(folder.resolve(program), script));
        }
        return folder;
    }

    private record Result(long pid, int exit, String output) {}
}
