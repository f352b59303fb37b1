/// What the container's tests share: an exchange without a server, and small applications.
package io.margay.servlet.test;
