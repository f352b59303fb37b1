<%@ page contentType="text/html;charset=UTF-8" import="java.util.List" %>
<!DOCTYPE html>
<html lang="en">
<head>
<title>Catalogue</title>
<link rel="stylesheet" href="static/shop.css">
<script src="static/shop.js"></script>
</head>
<body>
<h1>Catalogue</h1>
<table>
<% for (Object row : (List<?>) request.getAttribute("rows")) {
   pageContext.setAttribute("row", row); %>
<tr>
<td><img src="static/image${row.id % 8 + 1}.bin" alt="${row.name}"></td>
<td><a href="product?id=${row.id}">${row.name}</a></td>
<td>${row.price} euro</td>
<td>${row.stock > 0 ? row.stock : 'none'}</td>
<td><a href="cart?add=${row.id}">Add to the cart</a></td>
</tr>
<% } %>
</table>
</body>
</html>
