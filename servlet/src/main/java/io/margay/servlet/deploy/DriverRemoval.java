package io.margay.servlet.deploy;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.function.Supplier;

/// Deregisters the JDBC drivers that an application has registered, and tells their names.
/// Stateless.
///
/// `DriverManager` shows drivers only to classes of their own class loader. So the container never
/// runs this class: it defines it anew in the class loader of the application that it undeploys,
/// for which it uses nothing but the platform.
public final class DriverRemoval implements Supplier<List<String>> {
    public DriverRemoval() {}

    @Override
    public List<String> get() {
        List<String> removed = new ArrayList<>();
        ClassLoader own = DriverRemoval.class.getClassLoader();
        Enumeration<Driver> drivers = DriverManager.getDrivers();
        while (drivers.hasMoreElements()) {
            Driver driver = drivers.nextElement();
            if (own.equals(driver.getClass().getClassLoader())) {
                try {
                    DriverManager.deregisterDriver(driver);
                    removed.add(driver.getClass().getName());
                } catch (SQLException | SecurityException e) {
                    removed.add(driver.getClass().getName() + ", which stays: " + e);
                }
            }
        }
        return removed;
    }
}
