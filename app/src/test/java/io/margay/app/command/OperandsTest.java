package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.app.cli.UsageException;
import io.margay.app.config.StartException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OperandsTest {
    @TempDir Path folder;

    private Operands kind(String... files) throws Exception {
        for (String file : files) {
            Path path = folder.resolve(file);
            if (file.endsWith("/")) {
                Files.createDirectories(path);
            } else {
                Files.createDirectories(path.getParent());
                Files.writeString(path, "");
            }
        }
        return Operands.kind(folder.toString());
    }

    @Test
    void folder_withWebInf_isAnApplication() throws Exception {
        assertEquals(Operands.APP, kind("WEB-INF/", "other.war"));
    }

    @Test
    void folder_withWar_isAFolderOfApplications() throws Exception {
        assertEquals(Operands.WEBAPPS, kind("shop.war", "index.html"));
    }

    @Test
    void folder_withRoot_isAFolderOfApplications() throws Exception {
        assertEquals(Operands.WEBAPPS, kind("ROOT/index.html"));
    }

    @Test
    void folder_withExplodedApplication_isAFolderOfApplications() throws Exception {
        assertEquals(Operands.WEBAPPS, kind("shop/WEB-INF/"));
    }

    @Test
    void folder_withPagesAlone_isAnApplication() throws Exception {
        assertEquals(Operands.APP, kind("index.html", "images/a.png"));
    }

    @Test
    void file_isTakenByItsName() throws Exception {
        kind("a.yaml", "b.YML", "c.war", "d.zip");
        assertEquals(Operands.YAML, Operands.kind(folder.resolve("a.yaml").toString()));
        assertEquals(Operands.YAML, Operands.kind(folder.resolve("b.YML").toString()));
        assertEquals(Operands.APP, Operands.kind(folder.resolve("c.war").toString()));
        assertEquals(Operands.APP, Operands.kind(folder.resolve("d.zip").toString()));
        assertThrows(StartException.class, () -> Operands.kind(folder + "/none.war"));
    }

    @Test
    void configuration_besideOthers_isRefused() throws Exception {
        kind("a.yaml", "c.war");
        List<String> both =
                List.of(folder.resolve("a.yaml").toString(), folder.resolve("c.war").toString());
        assertThrows(UsageException.class, () -> Operands.kinds(both));
    }
}
