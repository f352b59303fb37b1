package io.margay.lab.servers.kinds;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.margay.lab.machine.Tools;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.MavenPeers;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.SettingBuilder;
import io.margay.lab.site.Certificate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SiteServerTest {
    private static Setting setting(List<Setting> backs) {
        Path folder = Path.of("folder");
        Tools tools = Tools.ofThisMachine(Map.of());
        return SettingBuilder.builder()
                .here(
                        new LabEnvironment(
                                folder,
                                Optional.empty(),
                                folder,
                                folder,
                                folder,
                                List.of(),
                                tools,
                                new MavenPeers(folder, tools),
                                Optional.empty()))
                .folder(folder)
                .webapps(folder)
                .http(1)
                .https(2)
                .ajp(3)
                .secret("secret")
                .route("route")
                .certificate(new Certificate(folder, folder, folder, folder))
                .backs(backs)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void configuration_hasNothingLeftOpen(SiteServer.Kind kind) throws IOException {
        Setting back = setting(List.of());
        String text =
                new SiteServer(kind)
                        .configuration(kind.isFront() ? setting(List.of(back, back)) : back);
        assertFalse(text.contains("${"), text);
        assertFalse(text.contains("@"), text);
    }
}
