<%@ page session="false" %>
<p>When run: this page was asked by ${param.who}, for <%= request.getAttribute("jakarta.servlet.include.servlet_path") %>.</p>
